// Tables that a role adds to the operator's page. Each is read when someone opens the page, within a time limit; one that fails does not
// affect the rest.
import { waitAtMost } from "../service.ts";

/** A time is shown in the zone of the reader. */
export type Cell = string | { readonly text: string; readonly tone: "good" | "bad" } | { readonly at: Date };

export type PanelContents = {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
};

export type Panel = {
  readonly title: string;
  /** The panel's text if there are no rows. */
  readonly empty: string;
  /** A note about what is counted or how to see more. */
  readonly note?: string;
  read(): Promise<PanelContents>;
};

export type ReadPanel = Pick<Panel, "title" | "empty" | "note"> & {
  /** Undefined if the panel could not be read in time. */
  readonly contents: PanelContents | undefined;
};

const READ_BOUND_MS = 2_000;

export async function readPanels(panels: readonly Panel[]): Promise<ReadPanel[]> {
  return Promise.all(
    panels.map(async (panel) => {
      const { title, empty, note } = panel;
      const contents = await waitAtMost(READ_BOUND_MS, panel.read()).catch(() => undefined);
      return { title, empty, ...(note !== undefined && { note }), contents };
    }),
  );
}
