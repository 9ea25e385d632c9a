package webhook

import (
	"io"
	"net/http"
	"os"
)

const maxBytes = 1_000_000

// Receive handles deliveries: http.HandleFunc("/webhooks", webhook.Receive).
func Receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBytes))
	if err != nil || !IsGenuine(body, request.Header, os.Getenv("BAKERY_WEBHOOK_SECRET")) {
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	// Store the event here. Do the work after the response.
	response.WriteHeader(http.StatusNoContent)
}
