import{createRequire}from'node:module';const require=createRequire(import.meta.url);

// src/records/join-bytes.ts
function joinBytes(parts) {
  const all = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

export {
  joinBytes
};
