// The protocol's own Go library.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type withKey struct{}

func (withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	if key := os.Getenv("TRY_KEY"); key != "" {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+key)
	}
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func has(value any, words string) bool {
	text := must(json.Marshal(value))
	return strings.Contains(string(text), words)
}

func main() {
	ctx := context.Background()
	transport := &mcp.StreamableClientTransport{
		Endpoint:   os.Getenv("TRY_URL"),
		HTTPClient: &http.Client{Transport: withKey{}},
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "try", Version: "1"}, nil)
	session := must(client.Connect(ctx, transport, nil))
	defer session.Close()

	tools := must(session.ListTools(ctx, nil)).Tools
	called := must(session.CallTool(ctx, &mcp.CallToolParams{Name: "list_models", Arguments: map[string]any{}}))
	resources := must(session.ListResources(ctx, nil)).Resources
	read := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "atelier://docs/quickstart"}))
	completed := must(session.Complete(ctx, &mcp.CompleteParams{
		Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: "atelier://docs/{chapter}"},
		Argument: mcp.CompleteParamsArgument{Name: "chapter", Value: "quick"},
	}))
	done := map[string]any{
		"protocol":  session.InitializeResult().ProtocolVersion,
		"tools":     len(tools),
		"called":    !called.IsError && has(called, "atelier-canvas"),
		"resources": len(resources),
		"read":      has(read, "# Quickstart"),
		"completed": has(completed, "quickstart"),
	}
	if os.Getenv("TRY_PROMPTS") == "yes" {
		prompt := must(session.GetPrompt(ctx, &mcp.GetPromptParams{
			Name: "poster", Arguments: map[string]string{"subject": "a lighthouse"},
		}))
		done["prompts"] = len(must(session.ListPrompts(ctx, nil)).Prompts)
		done["prompt"] = has(prompt, "a lighthouse")
	}
	fmt.Println(string(must(json.Marshal(done))))
}
