import {
  createService
} from "./chunk-ZB7FSOQA.js";
import "./chunk-VPZLPGDZ.js";
export {
  createService
};
