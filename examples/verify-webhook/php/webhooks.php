<?php

use Illuminate\Http\Request;
use Illuminate\Support\Facades\Route;

require_once __DIR__ . '/verify.php';

// Belongs into routes/api.php, because routes/web.php asks for a CSRF token.
Route::post('/webhooks', function (Request $request) {
    $signature = $request->header('X-Webhook-Signature');
    $previous = $request->header('X-Webhook-Signature-Previous');
    if (!isGenuineWebhook($request->getContent(), $signature, $previous, getenv('BAKERY_WEBHOOK_SECRET'))) {
        return response('', 400);
    }
    // Store the event here. Do the work in a queued job.
    return response('', 204);
});
