// The parts of service names that processes need.
import type { Slice } from "../slice.ts";
import { SERVICE_COLLECTIONS } from "./store.ts";

export const servicesSlice: Slice = { name: "kernel/services", collections: SERVICE_COLLECTIONS };
