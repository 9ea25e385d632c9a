final class Main {
  public static void main(String[] args) throws Exception {
    var isGenuine =
        WebhookSignature.isGenuine(
            System.in.readAllBytes(),
            System.getenv("SIGNATURE"),
            System.getenv("PREVIOUS"),
            System.getenv("SECRET"));
    System.out.print(isGenuine ? "genuine" : "rejected");
  }
}
