import{createRequire}from'node:module';const require=createRequire(import.meta.url);

// src/contract/firmware/firmware-error.ts
var FirmwareError = class extends Error {
  name = "FirmwareError";
  /** That of the service for the same file. */
  code = "invalid_firmware";
};

// src/contract/firmware/format.ts
var firmwareFormats = ["hex", "uf2", "elf", "raw"];
var maxFileSize = 16 * 1024 * 1024;
var names = {
  hex: "Intel HEX",
  uf2: "UF2",
  elf: "ELF",
  raw: "raw"
};
var colon = 58;
var maxBlanks = 1024;
var uf2 = [85, 70, 50, 10];
var elf = [127, 69, 76, 70];
function detectFormat(bytes) {
  const beginsWith = (mark) => mark.every((byte, index) => bytes[index] === byte);
  if (beginsWith(uf2)) return "uf2";
  if (beginsWith(elf)) return "elf";
  return isIntelHex(bytes) ? "hex" : "raw";
}
function fileOf(format) {
  return `The ${names[format]} file`;
}
function checkFormat(bytes, { raw, rawOption = "raw: true", flashOffset = "0" } = {}) {
  if (bytes.length === 0) throw new FirmwareError("The file is empty");
  if (bytes.length > maxFileSize) throw new FirmwareError("The file is larger than 16 MiB");
  if (!isOffset(flashOffset)) throw new FirmwareError(`The flash offset ${offsetRule}`);
  const format = detectFormat(bytes);
  if (format === "raw" && !raw) {
    throw new FirmwareError(
      `The file is neither Intel HEX, UF2 nor ELF. To flash its bytes as they are, pass ${rawOption}`
    );
  }
  requireOffset(format, Number(flashOffset));
}
function requireOffset(format, offset) {
  if (format === "raw" || offset === 0) return;
  throw new FirmwareError(
    `The file is ${names[format]}, which has its own addresses; a flash offset applies to raw files only`
  );
}
var offsetRule = "must be 0x and 1 to 8 hex digits, or a decimal without leading zeros, at most 4294967295";
function isOffset(text) {
  return /^(0x[0-9a-f]{1,8}|0|[1-9]\d{0,9})$/i.test(text) && Number(text) <= 4294967295;
}
function isIntelHex(bytes) {
  const start = bytes.subarray(0, maxBlanks).findIndex((byte) => !isBlank(byte));
  if (bytes[start] !== colon) return false;
  return bytes.subarray(start, start + 64).every((byte) => isBlank(byte) || byte > 32 && byte < 127);
}
function isBlank(byte = 0) {
  return byte === 32 || byte >= 9 && byte <= 13;
}

export {
  FirmwareError,
  firmwareFormats,
  maxFileSize,
  detectFormat,
  fileOf,
  checkFormat,
  requireOffset,
  offsetRule,
  isOffset
};
