// The protocol's own Go library follows a skill, and is told by push how its job goes on, also after the service was away. Each line that it
// prints is what it was told.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"regexp"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type object = map[string]any

type withKey struct{}

func (withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+os.Getenv("TRY_KEY"))
	return http.DefaultTransport.RoundTrip(request)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func say(line any) { fmt.Println(string(must(json.Marshal(line)))) }

func transport() *mcp.StreamableClientTransport {
	return &mcp.StreamableClientTransport{
		Endpoint:   os.Getenv("TRY_URL"),
		HTTPClient: &http.Client{Transport: withKey{}},
	}
}

type noParams struct{ mcp.ParamsBase }

type skills struct {
	mcp.ResultBase
	Skills []struct {
		URI         string `json:"uri"`
		Frontmatter struct {
			Name string `json:"name"`
		} `json:"frontmatter"`
	} `json:"skills"`
}

func followSkill(ctx context.Context) string {
	client := mcp.NewClient(&mcp.Implementation{Name: "follow", Version: "1"}, nil)
	if err := mcp.AddSendingCustomMethod[*noParams, *skills](client, "skills/list"); err != nil {
		log.Fatal(err)
	}
	session := must(client.Connect(ctx, transport(), nil))
	defer session.Close()
	listed := must(mcp.CallCustomMethod[*noParams, *skills](ctx, session, "skills/list", &noParams{}))
	text := ""
	for _, skill := range listed.Skills {
		if skill.Frontmatter.Name == "make-a-picture" {
			read := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: skill.URI}))
			text = read.Contents[0].Text
		}
	}
	picture := object{"modality": "image", "model_slug": "picture", "prompt": "held"}
	ordered := object{"modality": "image", "model_slug": "picture", "prompt": "held", "max_credits": 10, "idempotency_key": "the-skill"}
	arguments := map[string]object{
		"list_models":         {"modality": "image"},
		"estimate_generation": picture,
		"get_credits":         {},
		"connect_generate":    ordered,
	}
	job := ""
	for _, named := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(text, -1) {
		args, isStep := arguments[named[1]]
		if !isStep {
			continue
		}
		result := must(session.CallTool(ctx, &mcp.CallToolParams{Name: named[1], Arguments: args}))
		if result.IsError {
			log.Fatal(named[1])
		}
		if named[1] == "connect_generate" {
			job = result.StructuredContent.(object)["job_id"].(string)
		}
	}
	return job
}

type told struct {
	Status string          `json:"status"`
	Result json.RawMessage `json:"result"`
	Meta   struct {
		Event int `json:"atelier/event"`
	} `json:"_meta"`
}

// The session of the library knows no notifications of extensions, so this is its connection without the session.
func listen(ctx context.Context, job string, last *told) error {
	connection, err := transport().Connect(ctx)
	if err != nil {
		return err
	}
	defer connection.Close()
	params := must(json.Marshal(object{
		"notifications": object{"taskIds": []string{job}, "atelier/after": object{job: last.Meta.Event}},
		"_meta": object{
			"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientInfo":      object{"name": "follow", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": object{
				"extensions": object{"io.modelcontextprotocol/tasks": object{}},
			},
		},
	}))
	id := must(jsonrpc.MakeID("listen"))
	if err := connection.Write(ctx, &jsonrpc.Request{ID: id, Method: "subscriptions/listen", Params: params}); err != nil {
		return err
	}
	for {
		message, err := connection.Read(ctx)
		if err != nil {
			return err
		}
		notification, isRequest := message.(*jsonrpc.Request)
		if !isRequest {
			return nil
		}
		if notification.Method != "notifications/tasks" {
			continue
		}
		*last = told{}
		if err := json.Unmarshal(notification.Params, last); err != nil {
			return err
		}
		say(object{"number": last.Meta.Event, "status": last.Status, "result": last.Result})
	}
}

func main() {
	ctx := context.Background()
	job := followSkill(ctx)
	say(object{"job": job})
	last := told{Status: "working"}
	for last.Status == "working" {
		if err := listen(ctx, job, &last); err != nil {
			time.Sleep(100 * time.Millisecond)
		}
	}
}
