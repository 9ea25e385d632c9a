// Creates an expense with the client that oapi-codegen made, finds it in the list and reads it.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	client "bakery/client"
)

func must[Value any](value Value, err error) Value {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	withKey := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("BAKERY_API_KEY"))
		return nil
	})
	bakery := must(client.NewClientWithResponses(os.Getenv("BAKERY_URL"), withKey))
	ctx := context.Background()

	body := client.ExpenseInput{Amount: 1234567.89, Category: "ingredients", Date: "2026-03-05"}
	made := must(bakery.CreateExpenseWithResponse(ctx, &client.CreateExpenseParams{}, body)).JSON201
	read := must(bakery.RetrieveExpenseWithResponse(ctx, made.Id)).JSON200
	order := client.ListExpensesParamsOrderBy("updated_at")
	page := must(bakery.ListExpensesWithResponse(ctx, &client.ListExpensesParams{OrderBy: &order})).JSON200
	fmt.Printf("%.2f %.2f %t\n", made.Amount, read.Amount, len(page.Data) == 1 && page.Data[0].Id == made.Id)

	refused := must(bakery.RetrieveExpenseWithResponse(ctx, "exp_none"))
	fmt.Println(refused.StatusCode(), refused.JSON404.Error.Code)
}
