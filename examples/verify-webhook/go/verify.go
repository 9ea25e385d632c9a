package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

const maxAge = 5 * time.Minute

var form = regexp.MustCompile(`^t=(\d{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})$`)

// IsGenuine reports whether either signature header of a delivery signs its raw body.
func IsGenuine(body []byte, header http.Header, secret string) bool {
	return isSigned(header.Get("X-Webhook-Signature"), body, secret) ||
		isSigned(header.Get("X-Webhook-Signature-Previous"), body, secret)
}

func isSigned(header string, body []byte, secret string) bool {
	match := form.FindStringSubmatch(header)
	if match == nil {
		return false
	}
	seconds, _ := strconv.ParseInt(match[1], 10, 64)
	if time.Since(time.Unix(seconds, 0)).Abs() > maxAge {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(match[1] + "."))
	mac.Write(body)
	signature, _ := hex.DecodeString(match[2])
	return hmac.Equal(mac.Sum(nil), signature)
}
