<?php

const WEBHOOK_MAX_AGE_SECONDS = 300;

/** Returns true if either signature header of a delivery signs its raw body. */
function isGenuineWebhook(string $body, ?string $signature, ?string $previous, string $secret): bool
{
    return isWebhookSigned($signature, $body, $secret) || isWebhookSigned($previous, $body, $secret);
}

function isWebhookSigned(?string $header, string $body, string $secret): bool
{
    if (!preg_match('/\At=(\d{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})\z/', $header ?? '', $match)) {
        return false;
    }
    [, $t, $v1] = $match;
    $isFresh = abs(time() - (int) $t) <= WEBHOOK_MAX_AGE_SECONDS;
    return $isFresh && hash_equals(hash_hmac('sha256', "$t.$body", $secret), $v1);
}
