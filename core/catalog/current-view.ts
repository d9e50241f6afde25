// The view that questions are asked of: moved on by each step that is followed, and replaced by one that was built meanwhile.
import type { Clock } from "../../runtime/clock.ts";
import { advance, type Step, type View } from "./view.ts";

/** Build anew when so much of the index is waste: entries beside its base, and dead slots. */
const MIN_WASTE = 2_000;
const MAX_WASTE_PART = 0.1;
/** However large the catalog: every query passes over the entries beside the base. */
const MAX_WASTE = 50_000;

/** A view that was read over some time, in which more may have been read of one product than of another. */
export type Built = {
  readonly view: View;
  /** The newest version that any of it may be of: it is whole when it has come as far. */
  readonly readUpTo: number;
};

export type Edges = { readonly lastMs: number; readonly nextMs: number };

export type CurrentView = {
  get(): View | undefined;
  /** The view while every step reaches it. Without that it stays right only while the database stands still. */
  followed(): View | undefined;
  onStep(step: Step): void;
  /** Shows what `build` gives as soon as that is whole, with the steps that came in the meantime. */
  replace(build: () => Promise<Built>): Promise<void>;
  /** From now on steps are missed, until it is replaced. */
  lose(): void;
  /** Whether it has gathered so much waste that another one should be built, and none is under way. */
  isWasteful(): boolean;
  /** When a sale last began or ended in `view`, and when one will next. */
  edgesOf(view: View): Edges;
};

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
  /** Steps since a build began, which what it reads may lack. */
  let building: Step[] | undefined;
  /** A build that is done but not whole. */
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
        // Not those of a later build.
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
      return wasteCount > Math.min(MAX_WASTE, Math.max(MIN_WASTE, productCount * MAX_WASTE_PART));
    },
    edgesOf: (current) => {
      const nowMs = clock.now().getTime();
      if (edges.view !== current || nowMs >= edges.nextMs || nowMs < edges.lastMs)
        edges = { ...current.index.edges(nowMs), view: current };
      return edges;
    },
  };
}
