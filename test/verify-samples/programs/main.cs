using System;
using System.IO;

public static class Program
{
    public static void Main()
    {
        var body = new MemoryStream();
        Console.OpenStandardInput().CopyTo(body);
        Func<string, string> header = Environment.GetEnvironmentVariable;
        var isGenuine = WebhookSignature.IsGenuine(
            body.ToArray(), header("SIGNATURE"), header("PREVIOUS"), header("SECRET"));
        Console.Write(isGenuine ? "genuine" : "rejected");
    }
}
