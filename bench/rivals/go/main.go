// The three tools of the measurement on the Go SDK, without a key check.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/redis/go-redis/v9"
)

var api = "http://127.0.0.1:" + os.Getenv("API_PORT")
var cache = redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + os.Getenv("REDIS_PORT"), PoolSize: 64})
var client = &http.Client{Transport: &http.Transport{MaxIdleConns: 64, MaxIdleConnsPerHost: 64}}

type search struct {
	Category string  `json:"category"`
	MinPrice float64 `json:"min_price"`
	MaxPrice float64 `json:"max_price"`
	Limit    int     `json:"limit"`
}
type user struct {
	UserID string `json:"user_id"`
}
type item struct {
	ProductID int `json:"product_id"`
	Quantity  int `json:"quantity"`
}
type order struct {
	UserID string `json:"user_id"`
	Items  []item `json:"items"`
}
type product map[string]any
type object map[string]any

func ask(ctx context.Context, path string, body any, answer any) error {
	method, sent := http.MethodGet, []byte(nil)
	if body != nil {
		method = http.MethodPost
		sent, _ = json.Marshal(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, api+path, bytes.NewReader(sent))
	if err != nil {
		return err
	}
	request.Header.Set("content-type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	return json.NewDecoder(response.Body).Decode(answer)
}

// Both at the same time.
func together(first, second func() error) error {
	done := make(chan error, 1)
	go func() { done <- second() }()
	if err := first(); err != nil {
		return err
	}
	return <-done
}

func say(answer any, err error) (*mcp.CallToolResult, any, error) {
	if err != nil {
		return nil, nil, err
	}
	text, err := json.Marshal(answer)
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}, nil, err
}

func searchProducts(ctx context.Context, _ *mcp.CallToolRequest, in search) (*mcp.CallToolResult, any, error) {
	var found struct {
		TotalFound int       `json:"total_found"`
		Products   []product `json:"products"`
	}
	var popular []string
	query := url.Values{"category": {in.Category}, "limit": {fmt.Sprint(in.Limit)},
		"min_price": {fmt.Sprint(in.MinPrice)}, "max_price": {fmt.Sprint(in.MaxPrice)}}
	err := together(
		func() error { return ask(ctx, "/products/search?"+query.Encode(), nil, &found) },
		func() (err error) { popular, err = cache.ZRevRange(ctx, "bench:popular", 0, 9).Result(); return },
	)
	ranks := map[string]int{}
	for rank, id := range popular {
		ranks[id] = rank + 1
	}
	for _, one := range found.Products {
		one["popularity_rank"] = ranks[fmt.Sprintf("product:%v", one["id"])]
	}
	return say(object{"category": in.Category, "total_found": found.TotalFound, "products": found.Products,
		"top10_popular_ids": popular}, err)
}

func getUserCart(ctx context.Context, _ *mcp.CallToolRequest, in user) (*mcp.CallToolResult, any, error) {
	cart, err := cache.HGetAll(ctx, "bench:cart:"+in.UserID).Result()
	if err != nil {
		return nil, nil, err
	}
	var items []item
	if err := json.Unmarshal([]byte(cart["items"]), &items); err != nil {
		return nil, nil, err
	}
	var first product
	var history []string
	err = together(
		func() error { return ask(ctx, fmt.Sprintf("/products/%d", items[0].ProductID), nil, &first) },
		func() (err error) { history, err = cache.LRange(ctx, "bench:history:"+in.UserID, 0, 4).Result(); return },
	)
	return say(object{"user_id": in.UserID, "recent_history": history,
		"cart": object{"items": items, "item_count": len(items), "first": first}}, err)
}

func checkout(ctx context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
	var sum struct {
		Total float64 `json:"total"`
	}
	var count *redis.IntCmd
	sold, _ := json.Marshal(in.Items)
	err := together(
		func() error { return ask(ctx, "/cart/calculate", in, &sum) },
		func() error {
			pipe := cache.Pipeline()
			count = pipe.Incr(ctx, "bench:ratelimit:"+in.UserID)
			pipe.RPush(ctx, "bench:history:"+in.UserID, sold)
			for _, one := range in.Items {
				pipe.ZIncrBy(ctx, "bench:popular", 1, fmt.Sprintf("product:%d", one.ProductID))
			}
			_, err := pipe.Exec(ctx)
			return err
		},
	)
	return say(object{"order_id": "order-" + in.UserID, "user_id": in.UserID, "total": sum.Total,
		"items_count": len(in.Items), "rate_limit_count": count.Val(), "status": "confirmed"}, err)
}

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "go", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "search_products", Description: "Searches products."}, searchProducts)
	mcp.AddTool(server, &mcp.Tool{Name: "get_user_cart", Description: "Reads a cart."}, getUserCart)
	mcp.AddTool(server, &mcp.Tool{Name: "checkout", Description: "Orders items."}, checkout)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	panic(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), handler))
}
