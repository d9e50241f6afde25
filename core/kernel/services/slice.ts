// What a process needs to know about service names.
import type { Slice } from "../slice.ts";
import { SERVICE_COLLECTIONS } from "./store.ts";

export const servicesSlice: Slice = { name: "kernel/services", collections: SERVICE_COLLECTIONS };
