package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"verify/webhook"
)

func main() {
	request := httptest.NewRequest(http.MethodPost, "/webhooks", os.Stdin)
	for name, variable := range map[string]string{
		"X-Webhook-Signature":          "SIGNATURE",
		"X-Webhook-Signature-Previous": "PREVIOUS",
	} {
		if value, found := os.LookupEnv(variable); found {
			request.Header.Set(name, value)
		}
	}
	response := httptest.NewRecorder()
	webhook.Receive(response, request)
	if response.Code == http.StatusNoContent {
		fmt.Print("genuine")
	} else {
		fmt.Print("rejected")
	}
}
