using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class WebhookSignature
{
    private const long MaxAgeSeconds = 300;
    private static readonly Regex Form = new Regex(@"\At=([0-9]{1,12})[ \t]*,[ \t]*v1=([0-9a-f]{64})\z");

    /// <summary>Returns true if either signature header of a delivery signs its raw body.</summary>
    public static bool IsGenuine(byte[] body, string signature, string previous, string secret) =>
        IsSigned(signature, body, secret) || IsSigned(previous, body, secret);

    private static bool IsSigned(string header, byte[] body, string secret)
    {
        var match = Form.Match(header ?? "");
        if (!match.Success) return false;
        var (t, v1) = (match.Groups[1].Value, match.Groups[2].Value);
        var age = DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(t);
        if (Math.Abs(age) > MaxAgeSeconds) return false;

        using (var hmac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            var hash = hmac.ComputeHash(Encoding.UTF8.GetBytes(t + ".").Concat(body).ToArray());
            var expected = BitConverter.ToString(hash).Replace("-", "").ToLowerInvariant();
            return CryptographicOperations.FixedTimeEquals(
                Encoding.ASCII.GetBytes(expected), Encoding.ASCII.GetBytes(v1));
        }
    }
}
