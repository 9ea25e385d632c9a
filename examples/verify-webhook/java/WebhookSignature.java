import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class WebhookSignature {
  private static final long MAX_AGE_SECONDS = 300;
  private static final Pattern FORM = Pattern.compile("t=(\\d{1,12})[ \\t]*,[ \\t]*v1=([0-9a-f]{64})");

  private WebhookSignature() {}

  /** Returns true if either signature header of a delivery signs its raw body. */
  public static boolean isGenuine(byte[] body, String signature, String previous, String secret)
      throws GeneralSecurityException {
    return isSigned(signature, body, secret) || isSigned(previous, body, secret);
  }

  private static boolean isSigned(String header, byte[] body, String secret)
      throws GeneralSecurityException {
    var match = FORM.matcher(header == null ? "" : header);
    if (!match.matches()) return false;
    var age = Instant.now().getEpochSecond() - Long.parseLong(match.group(1));
    if (Math.abs(age) > MAX_AGE_SECONDS) return false;

    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    mac.update((match.group(1) + ".").getBytes(UTF_8));
    return MessageDigest.isEqual(mac.doFinal(body), HexFormat.of().parseHex(match.group(2)));
  }
}
