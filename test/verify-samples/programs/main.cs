using System;
using System.IO;
using Microsoft.AspNetCore.Http;

// The parts of ASP.NET Core that the receiver uses.
namespace Microsoft.AspNetCore.Http
{
    public sealed class Headers
    {
        public string this[string name] =>
            Environment.GetEnvironmentVariable(name == "X-Webhook-Signature" ? "SIGNATURE" : "PREVIOUS");
    }

    public sealed class Request
    {
        public Stream Body { get; } = Console.OpenStandardInput();
        public Headers Headers { get; } = new Headers();
    }

    public sealed class Response
    {
        public int StatusCode { get; set; } = 200;
    }

    public sealed class HttpContext
    {
        public Request Request { get; } = new Request();
        public Response Response { get; } = new Response();
    }
}

public static class Program
{
    public static void Main()
    {
        var context = new HttpContext();
        WebhookReceiver.Receive(context).GetAwaiter().GetResult();
        Console.Write(context.Response.StatusCode == 204 ? "genuine" : "rejected");
    }
}
