import jakarta.servlet.http.HttpServletRequest;
import java.io.InputStream;

final class Main {
  private static final class Delivery implements HttpServletRequest {
    @Override
    public InputStream getInputStream() {
      return System.in;
    }

    @Override
    public String getHeader(String name) {
      return System.getenv(name.equals("X-Webhook-Signature") ? "SIGNATURE" : "PREVIOUS");
    }
  }

  public static void main(String[] args) throws Exception {
    var statuses = new int[1];
    new WebhookServlet().doPost(new Delivery(), status -> statuses[0] = status);
    System.out.print(statuses[0] == 204 ? "genuine" : "rejected");
  }
}
