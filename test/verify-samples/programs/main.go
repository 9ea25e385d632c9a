package main

import (
	"fmt"
	"io"
	"net/http"
	"os"

	"verify/webhook"
)

func main() {
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	header := http.Header{}
	for name, variable := range map[string]string{
		"X-Webhook-Signature":          "SIGNATURE",
		"X-Webhook-Signature-Previous": "PREVIOUS",
	} {
		if value, found := os.LookupEnv(variable); found {
			header.Set(name, value)
		}
	}
	if webhook.IsGenuine(body, header, os.Getenv("SECRET")) {
		fmt.Print("genuine")
	} else {
		fmt.Print("rejected")
	}
}
