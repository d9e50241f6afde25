// The three tools of the measurement on rmcp, without a key check.
use redis::{AsyncCommands, aio::ConnectionManager};
use rmcp::{
    ServerHandler,
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    schemars::{self, JsonSchema},
    tool, tool_handler, tool_router,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};

#[derive(Deserialize, JsonSchema)]
struct Search {
    category: String,
    min_price: f64,
    max_price: f64,
    limit: i64,
}
#[derive(Deserialize, JsonSchema)]
struct User {
    user_id: String,
}
#[derive(Serialize, Deserialize, JsonSchema)]
struct Item {
    product_id: i64,
    quantity: i64,
}
#[derive(Deserialize, JsonSchema)]
struct Order {
    user_id: String,
    items: Vec<Item>,
}

#[derive(Clone)]
struct Shop {
    api: String,
    client: reqwest::Client,
    cache: ConnectionManager,
    /// Made once: the service clones this for each request.
    tools: Arc<ToolRouter<Self>>,
}

fn words(error: impl std::fmt::Display) -> String {
    error.to_string()
}

impl Shop {
    async fn get(&self, path: &str) -> Result<Value, String> {
        let request = self.client.get(format!("{}{path}", self.api));
        request.send().await.map_err(words)?.json().await.map_err(words)
    }
}

#[tool_router]
impl Shop {
    #[tool(description = "Searches products.")]
    async fn search_products(&self, Parameters(asked): Parameters<Search>) -> Result<String, String> {
        let path = format!(
            "/products/search?category={}&min_price={}&max_price={}&limit={}",
            asked.category, asked.min_price, asked.max_price, asked.limit
        );
        let mut cache = self.cache.clone();
        let popular = async { cache.zrevrange("bench:popular", 0, 9).await.map_err(words) };
        let (mut found, popular): (Value, Vec<String>) = tokio::try_join!(self.get(&path), popular)?;
        for one in found["products"].as_array_mut().into_iter().flatten() {
            let name = format!("product:{}", one["id"]);
            one["popularity_rank"] = json!(popular.iter().position(|id| *id == name).map_or(0, |at| at + 1));
        }
        Ok(json!({"category": asked.category, "total_found": found["total_found"],
            "products": found["products"], "top10_popular_ids": popular})
        .to_string())
    }

    #[tool(description = "Reads a cart.")]
    async fn get_user_cart(&self, Parameters(User { user_id }): Parameters<User>) -> Result<String, String> {
        let mut cache = self.cache.clone();
        let cart: HashMap<String, String> =
            cache.hgetall(format!("bench:cart:{user_id}")).await.map_err(words)?;
        let items: Vec<Item> = serde_json::from_str(&cart["items"]).map_err(words)?;
        let path = format!("/products/{}", items[0].product_id);
        let history = async {
            cache.lrange(format!("bench:history:{user_id}"), 0, 4).await.map_err(words)
        };
        let (first, history): (Value, Vec<String>) = tokio::try_join!(self.get(&path), history)?;
        Ok(json!({"user_id": user_id, "recent_history": history,
            "cart": {"item_count": items.len(), "items": items, "first": first}})
        .to_string())
    }

    #[tool(description = "Orders items.")]
    async fn checkout(&self, Parameters(order): Parameters<Order>) -> Result<String, String> {
        let mut cache = self.cache.clone();
        let mut pipe = redis::pipe();
        pipe.incr(format!("bench:ratelimit:{}", order.user_id), 1);
        pipe.rpush(format!("bench:history:{}", order.user_id), json!(order.items).to_string()).ignore();
        for one in &order.items {
            pipe.zincr("bench:popular", format!("product:{}", one.product_id), 1).ignore();
        }
        let sum = async {
            let request = self.client.post(format!("{}/cart/calculate", self.api));
            let body = json!({"user_id": order.user_id, "items": order.items});
            request.json(&body).send().await.map_err(words)?.json().await.map_err(words)
        };
        let counted = async { pipe.query_async(&mut cache).await.map_err(words) };
        let (sum, (count,)): (Value, (i64,)) = tokio::try_join!(sum, counted)?;
        Ok(json!({"order_id": format!("order-{}", order.user_id), "user_id": order.user_id,
            "total": sum["total"], "items_count": order.items.len(), "rate_limit_count": count,
            "status": "confirmed"})
        .to_string())
    }
}

#[tool_handler(router = self.tools)]
impl ServerHandler for Shop {}

fn port(name: &str) -> String {
    std::env::var(name).expect("its environment names the ports")
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cache = redis::Client::open(format!("redis://127.0.0.1:{}", port("REDIS_PORT")))?;
    let shop = Shop {
        api: format!("http://127.0.0.1:{}", port("API_PORT")),
        client: reqwest::Client::new(),
        cache: cache.get_connection_manager().await?,
        tools: Arc::new(Shop::tool_router()),
    };
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    let service: StreamableHttpService<Shop, LocalSessionManager> =
        StreamableHttpService::new(move || Ok(shop.clone()), Default::default(), config);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{}", port("PORT"))).await?;
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
