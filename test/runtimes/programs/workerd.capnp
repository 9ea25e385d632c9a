using Workerd = import "/workerd/workerd.capnp";

const worker :Workerd.Worker = (
  modules = [(name = "bundled.mjs", esModule = embed "bundled.mjs")],
  compatibilityDate = "2025-01-01",
  globalOutbound = "network",
);
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker), (name = "network", network = (allow = ["local", "public"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
