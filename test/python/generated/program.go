// Creates, lists and reads an expense and an order with the client that openapi-generator made.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	bakery "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[Value any](value Value, _ *http.Response, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	configuration := bakery.NewConfiguration()
	configuration.Servers = bakery.ServerConfigurations{{URL: os.Getenv("BAKERY_URL")}}
	client := bakery.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), bakery.ContextAccessToken, os.Getenv("BAKERY_API_KEY"))

	body := bakery.NewExpenseInput(1234567.89, "2026-03-05", "ingredients")
	made := must(client.ExpensesAPI.CreateExpense(ctx).ExpenseInput(*body).Execute())
	read := must(client.ExpensesAPI.RetrieveExpense(ctx, made.Id).Execute())
	page := must(client.ExpensesAPI.ListExpenses(ctx).OrderBy("updated_at").Execute())
	fmt.Printf("%.2f %.2f %t\n", made.Amount, read.Amount, len(page.Data) == 1 && page.Data[0].Id == made.Id)

	loaf := bakery.NewOrderItemInput(2)
	loaf.SetName("Rye loaf")
	loaf.SetUnitPrice(6.5)
	input := bakery.NewOrderInput([]bakery.OrderItemInput{*loaf})
	input.SetDeliveryAddress(map[string]string{"line1": "1 Mill Lane"})
	order := must(client.OrdersAPI.CreateOrder(ctx).OrderInput(*input).Execute())
	address := must(client.OrdersAPI.RetrieveOrder(ctx, order.Id).Execute()).DeliveryAddress.(map[string]any)
	fmt.Printf("%.2f %s\n", order.Total, address["line1"])

	_, response, err := client.ExpensesAPI.RetrieveExpense(ctx, "exp_none").Execute()
	var refused *bakery.GenericOpenAPIError
	if errors.As(err, &refused) {
		fmt.Println(response.StatusCode, refused.Model().(bakery.Error).Error.Code)
	}
}
