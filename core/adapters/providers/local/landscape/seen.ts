// Which claims about the whole of a picture its sky, air and land bear out.
import type { PromptClaim } from "../words/read-prompt.ts";
import type { Scenery } from "./light.ts";

type Seen = Pick<Scenery, "place" | "light" | "reading">;

/** Never true for what is not drawn; a doubtful case counts as not drawn. */
export function isSeen(
  { place, light, reading }: Seen,
  claim: PromptClaim & { readonly name: string },
): boolean {
  const { aspect, name } = claim;
  const isInside = place === "room" || place === "studio" || place === "underwater";
  const hasDisc = place !== "space" && (light.dark || !light.overcast);
  switch (aspect) {
    case "places":
      if (name === place) return true;
      // Ranges, woods and towns lie behind other land and water, and a sky is over all of it.
      return (
        !isInside &&
        (name === "sky" || (place !== "sky" && /^(mountains|forest|jungle|city|hills)$/.test(name)))
      );
    case "time":
      return !isInside && place !== "space" && name === light.hour;
    case "lights":
      if (isInside) return false;
      if (name === "stars") return light.dark && (light.hour === "night" || !light.overcast);
      return hasDisc && (light.hour === "dusk" || (name === "moon") === (light.hour === "night"));
    case "weathers":
      // Only named water shows the wind.
      if (name === "wind")
        return /^(sea|lake|river|beach)$/.test(place) && reading.places.some((one) => one === place);
      return !isInside && (name !== "cloudy" || place !== "space");
    case "season":
      if (isInside || /^(city|sea|sky|space)$/.test(place)) return false;
      return (
        name === "winter" || (name === "autumn" && place !== "desert" && !reading.weathers.includes("snow"))
      );
    default:
      return false;
  }
}
