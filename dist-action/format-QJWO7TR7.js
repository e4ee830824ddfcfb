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
} from "./chunk-H35Q6MNZ.js";
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
