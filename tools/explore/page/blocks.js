// blocks.js -- the data blocks of the page: base64 of zlib streams, each in a script element of its own.

function bytesOfBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// The bytes of a block, or null if the page has none of that name.
export async function readBlock(name) {
  const element = name ? document.getElementById(name) : null;
  if (!element) return null;
  const packed = new Blob([bytesOfBase64(element.textContent.trim())]).stream();
  const stream = packed.pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function readJson(name) {
  const bytes = await readBlock(name);
  return bytes ? JSON.parse(new TextDecoder().decode(bytes)) : null;
}

// Reads little-endian arrays one after another. Each begins at a multiple of its element's size.
export class Cursor {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  u32() {
    return this.u32s(1)[0];
  }

  u32s(count) {
    return new Uint32Array(this.take(count * 4, 4));
  }

  i32s(count) {
    return new Int32Array(this.take(count * 4, 4));
  }

  u8s(count) {
    return new Uint8Array(this.take(count, 1));
  }

  f64s(count) {
    return new Float64Array(this.take(count * 8, 8));
  }

  // Numbers whose first bytes all come first, then all second bytes, and so on: that packs better.
  planes(count) {
    const from = new Uint8Array(this.take(count * 8, 8));
    const to = new Uint8Array(count * 8);
    for (let plane = 0; plane < 8; ++plane)
      for (let i = 0, start = plane * count; i < count; ++i) to[i * 8 + plane] = from[start + i];
    return new Float64Array(to.buffer);
  }

  align(size) {
    this.at = Math.ceil(this.at / size) * size;
  }

  take(length, size) {
    this.align(size);
    const begin = this.bytes.byteOffset + this.at;
    this.at += length;
    return this.bytes.buffer.slice(begin, begin + length);
  }
}
