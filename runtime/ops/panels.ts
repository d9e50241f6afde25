// Tables of the operator's page that a role brings along: each read when somebody looks, within a bound, and left out of nothing else.

export type Cell = string | { readonly text: string; readonly tone: "good" | "bad" };

export type PanelContents = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export type Panel = {
  readonly title: string;
  /** What it says where there are no rows. */
  readonly empty: string;
  /** A word on what is counted, or how to see more. */
  readonly note?: string;
  read(): Promise<PanelContents>;
};

export type ReadPanel = Pick<Panel, "title" | "empty" | "note"> & {
  /** undefined where it could not be read in time. */
  readonly contents: PanelContents | undefined;
};

const READ_BOUND_MS = 2_000;

export async function readPanels(panels: readonly Panel[]): Promise<ReadPanel[]> {
  return Promise.all(
    panels.map(async (panel) => {
      const { title, empty, note } = panel;
      return { title, empty, ...(note !== undefined && { note }), contents: await readOne(panel) };
    }),
  );
}

async function readOne(panel: Panel): Promise<PanelContents | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), READ_BOUND_MS);
  try {
    return await Promise.race([panel.read(), late]);
  } catch {
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
