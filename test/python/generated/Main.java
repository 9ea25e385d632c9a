import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ExpensesApi;
import org.openapitools.client.api.OrdersApi;
import org.openapitools.client.model.ExpenseInput;
import org.openapitools.client.model.OrderInput;
import org.openapitools.client.model.OrderItemInput;

/** Creates, lists and reads an expense and an order with the client that openapi-generator made. */
class Main {
  public static void main(String[] args) throws ApiException {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("BAKERY_URL"));
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + System.getenv("BAKERY_API_KEY")));

    var expenses = new ExpensesApi(client);
    var body = new ExpenseInput().amount(1234567.89).category("ingredients").date("2026-03-05");
    var made = expenses.createExpense(body, null);
    var listed = expenses.listExpenses(10, null, "updated_at", null, null, null, null, null, null);
    var found = listed.getData().size() == 1 && listed.getData().get(0).getId().equals(made.getId());
    System.out.printf("%.2f %.2f %b%n", made.getAmount(), expenses.retrieveExpense(made.getId()).getAmount(), found);

    var orders = new OrdersApi(client);
    var loaf = new OrderItemInput().name("Rye loaf").quantity(2).unitPrice(6.5);
    var sent = Map.of("line1", "1 Mill Lane");
    var order = orders.createOrder(new OrderInput().items(List.of(loaf)).deliveryAddress(sent), null);
    var address = (Map<?, ?>) orders.retrieveOrder(order.getId()).getDeliveryAddress();
    System.out.printf("%.2f %s%n", order.getTotal(), address.get("line1"));

    try {
      expenses.retrieveExpense("exp_none");
    } catch (ApiException error) {
      System.out.println(error.getCode() + (error.getResponseBody().contains("not_found") ? " not_found" : ""));
    }
  }
}
