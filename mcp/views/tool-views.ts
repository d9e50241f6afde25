// The views of the tools, for clients that show them (the extension MCP Apps): which tool has which, and the toolset with them. Clients that
// do not declare the extension see none of this.
import { VIEW_TYPE } from "../protocol/apps-extension.ts";
import { defineResource, type Resource } from "../protocol/resource.ts";
import { createToolset, type Tool, type Toolset } from "../protocol/tool.ts";
import { proveLedger } from "../tools/prove-ledger.ts";
import { buildView, type View } from "./view-page.ts";

type ToolView = View & {
  readonly uri: string;
  readonly description: string;
  /** Whose results it shows. */
  readonly tools: readonly string[];
  /** The tools that it calls. Without one of them it is not offered. */
  readonly calls: readonly string[];
  /** Tools that it alone calls, and no model. */
  readonly own: readonly Tool[];
  readonly showsMedia: boolean;
};

const VIEWS: readonly ToolView[] = [
  {
    module: "gallery",
    uri: "ui://atelier/gallery",
    title: "What was made",
    description: "A job's progress, and the pictures, clips and sounds that it made.",
    tools: ["get_job", "connect_generate"],
    calls: ["get_job"],
    own: [],
    showsMedia: true,
  },
  {
    module: "form",
    uri: "ui://atelier/form",
    title: "Make something",
    description: "A form of a model's options with the price of what it says.",
    tools: ["list_models"],
    calls: ["estimate_generation", "connect_generate", "get_job"],
    own: [],
    showsMedia: true,
  },
  {
    module: "proof",
    uri: "ui://atelier/ledger",
    title: "Credits, entry by entry",
    description: "The entries that were found, and the proof that the whole ledger holds.",
    tools: ["list_ledger"],
    calls: [],
    own: [proveLedger],
    showsMedia: false,
  },
];

/** Returns the same toolset with the views of its tools. `mediaOrigin` is the origin of job files. */
export function createViews(mediaOrigin: string): (toolset: Toolset) => Toolset {
  const pages = new Map(VIEWS.map((view) => [view, toResource(view, mediaOrigin)]));
  const known = new WeakMap<Toolset, Toolset>();
  return (toolset) => {
    const seen = known.get(toolset) ?? withViews(toolset, pages);
    known.set(toolset, seen);
    return seen;
  };
}

function withViews(toolset: Toolset, pages: ReadonlyMap<ToolView, Resource>): Toolset {
  const views = VIEWS.filter(({ tools, calls }) => [...tools.slice(0, 1), ...calls].every(toolset.find));
  if (views.length === 0) return toolset;
  const shown = toolset.tools.map((tool) => {
    const view = views.find(({ tools }) => tools.includes(tool.listing.name));
    return view ? withMeta(tool, { resourceUri: view.uri }) : tool;
  });
  const own = views.flatMap((view) => view.own.map((tool) => withMeta(tool, { visibility: ["app"] })));
  const resources = views.flatMap((view) => pages.get(view) ?? []);
  return createToolset([...shown, ...own], {
    ...toolset,
    resources: [...toolset.resources, ...resources],
    hasViews: true,
  });
}

function withMeta(tool: Tool, ui: Record<string, unknown>): Tool {
  return { ...tool, listing: { ...tool.listing, _meta: { ui } } };
}

function toResource(view: ToolView, mediaOrigin: string): Resource {
  const { uri, module, title, description, showsMedia } = view;
  const text = buildView(view, showsMedia ? mediaOrigin : undefined);
  return defineResource({
    uri,
    name: module,
    title,
    description,
    mimeType: VIEW_TYPE,
    meta: { ui: { csp: showsMedia ? { resourceDomains: [mediaOrigin] } : {}, prefersBorder: true } },
    read: async () => ({ text }),
  });
}
