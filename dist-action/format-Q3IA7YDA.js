import{createRequire}from'node:module';const require=createRequire(import.meta.url);
import {
  checkFormat,
  detectFormat,
  fileOf,
  firmwareFormats,
  isOffset,
  maxFileSize,
  offsetRule,
  requireOffset
} from "./chunk-ORLT3RXH.js";
import "./chunk-ZNZW5SZL.js";
export {
  checkFormat,
  detectFormat,
  fileOf,
  firmwareFormats,
  isOffset,
  maxFileSize,
  offsetRule,
  requireOffset
};
