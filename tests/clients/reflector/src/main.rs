//! An ordinary kube-rs program: watchers of a built-in kind and of a custom resource, by list and watch, by streaming
//! list and of the metadata alone, a reflector's store, a fixed sequence of writes, and on stdout every event they saw.
//!
//!     cargo run -- <kubeconfig>
//!
//! Each write waits until every watcher it concerns has told about it, so the output is the same every time. What no
//! two servers have in common (versions, uids, times) is not printed.
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::time::Duration;

use futures::{pin_mut, Stream, StreamExt};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, PartialObjectMeta, Patch, PatchParams, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::runtime::{conditions, reflector, wait::await_condition, watcher, WatchStreamExt};
use kube::{Client, Config, CustomResource, CustomResourceExt, ResourceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::mpsc::{unbounded_channel, UnboundedReceiver, UnboundedSender};

const NAMESPACE: &str = "reflector";
/// Against hangs: nothing waits that long.
const PATIENCE: Duration = Duration::from_secs(30);

type Failure = Box<dyn std::error::Error>;

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]
#[kube(group = "reflector.example.com", version = "v1", kind = "Widget", namespaced, status = "WidgetStatus")]
struct WidgetSpec {
    /// How large.
    size: i32,
    /// What colour, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    colour: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize, JsonSchema)]
struct WidgetStatus {
    ready: i32,
}

/// What an object looks like in the output.
trait Shown {
    fn shown(&self) -> String;
}

impl Shown for ConfigMap {
    fn shown(&self) -> String {
        format!("{} data={:?} labels={:?}", self.name_any(), self.data.clone().unwrap_or_default(), self.labels())
    }
}

impl Shown for PartialObjectMeta<ConfigMap> {
    fn shown(&self) -> String {
        format!("{} labels={:?}", self.name_any(), self.labels())
    }
}

impl Shown for Widget {
    fn shown(&self) -> String {
        let deleting = if self.metadata.deletion_timestamp.is_some() { " deleting" } else { "" };
        let ready = self.status.as_ref().map(|status| status.ready);
        let generation = self.metadata.generation.unwrap_or_default();
        format!("{}{deleting} generation={generation} size={} ready={ready:?}", self.name_any(), self.spec.size)
    }
}

/// Tells every event of a watcher under its name.
fn follow<K>(
    name: &'static str,
    stream: impl Stream<Item = watcher::Result<watcher::Event<K>>> + Send + 'static,
    told: &UnboundedSender<String>,
) where
    K: Shown + Send + 'static,
{
    let told = told.clone();
    tokio::spawn(async move {
        pin_mut!(stream);
        while let Some(event) = stream.next().await {
            let line = match event {
                Ok(watcher::Event::Init) => "1 init".to_owned(),
                Ok(watcher::Event::InitApply(object)) => format!("2 init-apply {}", object.shown()),
                Ok(watcher::Event::InitDone) => "3 init-done".to_owned(),
                Ok(watcher::Event::Apply(object)) => format!("apply {}", object.shown()),
                Ok(watcher::Event::Delete(object)) => format!("delete {}", object.shown()),
                Err(error) => format!("error {error}"),
            };
            if told.send(format!("{name}: {line}")).is_err() {
                return;
            }
        }
    });
}

/// Takes that many reports and prints them, sorted: watchers do not wait for each other.
async fn expect(step: &str, count: usize, told: &mut UnboundedReceiver<String>) -> Result<(), Failure> {
    println!("== {step}");
    let mut lines = Vec::new();
    for _ in 0..count {
        match tokio::time::timeout(PATIENCE, told.recv()).await {
            Ok(Some(line)) => lines.push(line),
            _ => return Err(format!("{step}: waited for {count} reports, got {lines:?}").into()),
        }
    }
    lines.sort();
    lines.iter().for_each(|line| println!("{line}"));
    Ok(())
}

fn config_map(name: &str, value: &str, label: Option<&str>) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.to_owned()),
            labels: label.map(|label| BTreeMap::from([("watch".to_owned(), label.to_owned())])),
            ..Default::default()
        },
        data: Some(BTreeMap::from([("x".to_owned(), value.to_owned())])),
        ..Default::default()
    }
}

/// What the server refused, without what differs from run to run.
fn refusal<T: Debug>(result: kube::Result<T>) -> String {
    match result {
        Err(kube::Error::Api(status)) => format!("{} {}: {}", status.code, status.reason, status.message),
        other => format!("no refusal: {other:?}"),
    }
}

/// Makes the custom resource and waits until it is served.
async fn define(client: &Client) -> Result<(), Failure> {
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let name = "widgets.reflector.example.com";
    definitions.patch(name, &PatchParams::apply("reflector").force(), &Patch::Apply(Widget::crd())).await?;
    let established = await_condition(definitions, name, conditions::is_crd_established());
    tokio::time::timeout(PATIENCE, established).await??;
    let widgets: Api<Widget> = Api::namespaced(client.clone(), NAMESPACE);
    let served = async {
        while widgets.list(&ListParams::default()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    Ok(tokio::time::timeout(PATIENCE, served).await?)
}

async fn scenario(client: Client) -> Result<(), Failure> {
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace = Namespace {
        metadata: ObjectMeta { name: Some(NAMESPACE.to_owned()), ..Default::default() },
        ..Default::default()
    };
    namespaces.create(&PostParams::default(), &namespace).await?;
    define(&client).await?;

    let maps: Api<ConfigMap> = Api::namespaced(client.clone(), NAMESPACE);
    let widgets: Api<Widget> = Api::namespaced(client.clone(), NAMESPACE);
    let post = PostParams { field_manager: Some("writer".to_owned()), ..Default::default() };
    maps.create(&post, &config_map("old", "1", Some("me"))).await?;
    widgets.create(&post, &Widget::new("old", WidgetSpec { size: 1, colour: None })).await?;

    let (sender, mut told) = unbounded_channel();
    let listed = watcher::Config::default();
    let streamed = watcher::Config::default().streaming_lists();
    let paged = watcher::Config::default().page_size(1);
    let selected = watcher::Config::default().labels("watch=me");
    follow("listed", watcher(maps.clone(), listed), &sender);
    follow("streamed", watcher(maps.clone(), streamed.clone()), &sender);
    follow("paged", watcher(maps.clone(), paged), &sender);
    follow("selected", watcher(maps.clone(), selected), &sender);
    let light: Api<PartialObjectMeta<ConfigMap>> = Api::namespaced(client.clone(), NAMESPACE);
    follow("metadata", watcher(light, streamed.clone()), &sender);
    let (store, writer) = reflector::store();
    follow("widgets", watcher(widgets.clone(), streamed).default_backoff().reflect(writer), &sender);
    expect("what was there", 18, &mut told).await?;

    let created = maps.create(&post, &config_map("a", "1", None)).await?;
    expect("create", 4, &mut told).await?;
    let mut changed = created.clone();
    changed.data = Some(BTreeMap::from([("x".to_owned(), "2".to_owned())]));
    maps.replace("a", &post, &changed).await?;
    expect("replace", 4, &mut told).await?;
    println!("== stale replace\n{}", refusal(maps.replace("a", &post, &changed).await));
    let matching = json!({"metadata": {"labels": {"watch": "me"}}});
    maps.patch("a", &PatchParams::default(), &Patch::Merge(&matching)).await?;
    expect("it comes to match the selector", 5, &mut told).await?;
    let ceasing = json!({"metadata": {"labels": {"watch": "others"}}});
    maps.patch("a", &PatchParams::default(), &Patch::Strategic(&ceasing)).await?;
    expect("it ceases to match", 5, &mut told).await?;

    let applied = json!({"apiVersion": "v1", "kind": "ConfigMap", "data": {"x": "3"}});
    println!("== apply\n{}", refusal(maps.patch("a", &PatchParams::apply("applier"), &Patch::Apply(&applied)).await));
    maps.patch("a", &PatchParams::apply("applier").force(), &Patch::Apply(&applied)).await?;
    expect("apply with force", 4, &mut told).await?;

    widgets.create(&post, &Widget::new("b", WidgetSpec { size: 1, colour: Some("red".to_owned()) })).await?;
    expect("create a custom resource", 1, &mut told).await?;
    let wrong = json!({"spec": {"size": "large"}});
    println!("== wrong patch\n{}", refusal(widgets.patch("b", &PatchParams::default(), &Patch::Merge(&wrong)).await));
    let larger = json!({"spec": {"size": 2}, "metadata": {"finalizers": ["example.com/hold"]}});
    widgets.patch("b", &PatchParams::default(), &Patch::Merge(&larger)).await?;
    expect("patch it", 1, &mut told).await?;
    let ready = json!({"status": {"ready": 1}});
    widgets.patch_status("b", &PatchParams::default(), &Patch::Merge(&ready)).await?;
    expect("patch its status", 1, &mut told).await?;
    let deleted = widgets.delete("b", &DeleteParams::foreground()).await?;
    println!("== delete, held by the finalizer\nstill there: {}", deleted.is_left());
    expect("the watcher", 1, &mut told).await?;
    let released = json!({"metadata": {"finalizers": null}});
    widgets.patch("b", &PatchParams::default(), &Patch::Merge(&released)).await?;
    expect("remove the finalizers", 1, &mut told).await?;

    let gone = maps.delete("a", &DeleteParams::default()).await?;
    println!("== delete\ngone: {}", gone.is_right());
    expect("the watchers", 4, &mut told).await?;
    println!("== delete again\n{}", refusal(maps.delete("a", &DeleteParams::default()).await));

    println!("== the store");
    store.wait_until_ready().await?;
    store.state().iter().for_each(|widget| println!("{}", widget.shown()));
    maps.delete_collection(&DeleteParams::default(), &ListParams::default()).await?;
    expect("delete all", 5, &mut told).await
}

async fn run() -> Result<(), Failure> {
    let path = std::env::args().nth(1).ok_or("usage: reflector <kubeconfig>")?;
    let config = Config::from_custom_kubeconfig(Kubeconfig::read_from(path)?, &KubeConfigOptions::default()).await?;
    Ok(tokio::time::timeout(Duration::from_secs(180), scenario(Client::try_from(config)?)).await??)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    if let Err(error) = run().await {
        eprintln!("reflector: {error}");
        std::process::exit(1);
    }
}
