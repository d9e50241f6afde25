// The view that answers questions. Each step of the change stream moves it on; a newly built view replaces it.
import type { Clock } from "../../../runtime/clock.ts";
import { advance, type Step, type View } from "./view.ts";

/** A new build starts when this much of the index is waste: tail entries and dead slots. */
const MIN_WASTE = 2_000;
const MAX_WASTE_PART = 0.1;
/** The limit for catalogs of any size: every query scans the tail entries. */
const MAX_WASTE = 50_000;

/** A view that took some time to read, so that some products may be newer in it than others. */
export type Built = {
  readonly view: View;
  /** The newest version that any part of the view may have. The view is consistent once all of it has reached that version. */
  readonly readUpTo: number;
};

export type Edges = { readonly lastMs: number; readonly nextMs: number };

export type CurrentView = {
  get(): View | undefined;
  /** The view, as long as every step reaches it. Otherwise it is right only while the database does not change. */
  followed(): View | undefined;
  onStep(step: Step): void;
  /** Replaces the view with what `build` returns as soon as that is consistent, with the steps that came in the meantime. */
  replace(build: () => Promise<Built>): Promise<void>;
  /** Notes that steps are missed from now on, until the view is replaced. */
  lose(): void;
  /** Whether the view has gathered so much waste that a new one should be built, and none is being built. */
  isWasteful(): boolean;
  /** When a sale last began or ended in `view`, and when one will next. */
  edgesOf(view: View): Edges;
};

export function maxWasteOf(productCount: number): number {
  return Math.min(MAX_WASTE, Math.max(MIN_WASTE, productCount * MAX_WASTE_PART));
}

export function createCurrentView({
  clock,
  baseUrl,
  onShown,
}: {
  clock: Clock;
  baseUrl: string;
  onShown: (view: View) => void;
}): CurrentView {
  let view: View | undefined;
  let isFollowed = false;
  /** Steps since a build began, which its reads may lack. */
  let building: Step[] | undefined;
  /** A finished build that is not consistent yet. */
  let coming: Built | undefined;
  let edges: Edges & { view: View | undefined } = { lastMs: -Infinity, nextMs: Infinity, view };

  function show(next: View): void {
    view = next;
    onShown(next);
  }

  function showWhenWhole(): void {
    if (!coming || coming.view.version < coming.readUpTo) return;
    show({ ...coming.view, generation: (view?.generation ?? 0) + 1 });
    coming = undefined;
    isFollowed = true;
  }

  return {
    get: () => view,
    followed: () => (isFollowed ? view : undefined),
    onStep: (step) => {
      building?.push(step);
      if (view && isFollowed) show(advance(view, step, baseUrl));
      if (!coming) return;
      coming = { ...coming, view: advance(coming.view, step, baseUrl) };
      showWhenWhole();
    },
    replace: async (build) => {
      const steps: Step[] = [];
      building = steps;
      try {
        const built = await build();
        coming = { ...built, view: steps.reduce((next, step) => advance(next, step, baseUrl), built.view) };
      } finally {
        // It does not drop those of a later build.
        if (building === steps) building = undefined;
      }
      showWhenWhole();
    },
    lose: () => {
      isFollowed = false;
      coming = undefined;
    },
    isWasteful: () => {
      if (!view || !isFollowed || building || coming) return false;
      const { wasteCount, productCount } = view.index;
      return wasteCount > maxWasteOf(productCount);
    },
    edgesOf: (current) => {
      const nowMs = clock.now().getTime();
      if (edges.view !== current || nowMs >= edges.nextMs || nowMs < edges.lastMs)
        edges = { ...current.index.edges(nowMs), view: current };
      return edges;
    },
  };
}
