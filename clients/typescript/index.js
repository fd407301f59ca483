export { Cento } from "./client.js";
export { CentoError, Lost, Refused } from "./errors.js";
