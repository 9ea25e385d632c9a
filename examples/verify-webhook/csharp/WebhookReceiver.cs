using System;
using System.IO;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;

public static class WebhookReceiver
{
    /// <summary>Handles deliveries: app.MapPost("/webhooks", WebhookReceiver.Receive);</summary>
    public static async Task Receive(HttpContext context)
    {
        var body = new MemoryStream();
        await context.Request.Body.CopyToAsync(body);
        string signature = context.Request.Headers["X-Webhook-Signature"];
        string previous = context.Request.Headers["X-Webhook-Signature-Previous"];
        var secret = Environment.GetEnvironmentVariable("BAKERY_WEBHOOK_SECRET");
        var isGenuine = WebhookSignature.IsGenuine(body.ToArray(), signature, previous, secret);
        // If it is genuine, store the event here. Do the work after the response.
        context.Response.StatusCode = isGenuine ? 204 : 400;
    }
}
