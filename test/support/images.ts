// Images generated for tests: photo-like ones in three types, animations, and noise of a given
// size.
import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'

export type ImageType = 'png' | 'jpeg' | 'gif'
type ImageSize = { width?: number; height?: number }

const GRAIN = 24

/**
 * A soft landscape of gradients with film grain, so that it compresses about as badly as a photo.
 * @param hue 0 to 255, to tell two apart
 */
export async function drawPhoto(
  type: ImageType,
  { width = 320, height = 180, hue = 120 }: ImageSize & { hue?: number } = {},
): Promise<Buffer> {
  return await sharp(drawPixels(width, height, hue), { raw: { width, height, channels: 3 } })
    .toFormat(type)
    .toBuffer()
}

/** An animated GIF. */
export async function drawAnimation({
  width = 320,
  height = 180,
  frames = 6,
}: ImageSize & { frames?: number } = {}): Promise<Buffer> {
  const pages = await Promise.all(
    Array.from({ length: frames }, (_, index) =>
      sharp(drawPixels(width, height, index * 40), { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer(),
    ),
  )
  return await sharp(pages, { join: { animated: true } })
    .gif({ delay: 120, loop: 0 })
    .toBuffer()
}

/**
 * A 12-megapixel JPEG of more than 6 MB with detail at every scale, each octave as strong as the
 * last, as in photos: its previews are about as large as those of photos.
 */
export async function drawCameraPhoto({
  width = 4032,
  height = 3024,
}: ImageSize = {}): Promise<Buffer> {
  const layers: Buffer[] = []
  for (let share = 512; share >= 1; share /= 2) {
    const wide = Math.ceil(width / share)
    const high = Math.ceil(height / share)
    const noise = sharp(randomBytes(wide * high * 3), {
      raw: { width: wide, height: high, channels: 3 },
    })
    layers.push(
      await noise.resize(width, height, { kernel: 'cubic', fit: 'fill' }).raw().toBuffer(),
    )
  }
  const pixels = Buffer.alloc(width * height * 3)
  // Grain is weaker than shapes: lenses and sensors soften it.
  const weights = layers.map((_, index) => (index < 4 ? 0.2 : 0.2 * 0.85 ** (index - 3)))
  for (let at = 0; at < pixels.length; at++) {
    let light = 0
    for (const [index, layer] of layers.entries())
      light += (weights[index] ?? 0) * ((layer[at] ?? 0) - 128)
    pixels[at] = Math.max(0, Math.min(255, 128 + light))
  }
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 96 })
    .toBuffer()
}

/**
 * A PNG of pure noise, which nothing can compress.
 * @param minBytes the file is at least this large and at most 5 % more
 */
export async function drawNoise(minBytes: number): Promise<Buffer> {
  const width = 1024
  const height = Math.ceil((minBytes * 1.01) / (width * 3))
  return await sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

function drawPixels(width: number, height: number, hue: number): Buffer {
  const pixels = randomBytes(width * height * 3)
  const tints = [hue / 3, 60, 200 - hue / 2]
  for (let x = 0; x < width; x++) {
    const hill = Math.sin((x / width) * 6 + hue) * 0.1 + 0.6
    for (let y = 0; y < height; y++) {
      const at = (y * width + x) * 3
      const isGround = y / height > hill
      const light = isGround ? 60 : 90 + (120 * y) / height
      for (let channel = 0; channel < 3; channel++) {
        const colour = light * 0.6 + (tints[channel] ?? 0) * 0.4
        pixels[at + channel] = Math.min(255, colour + ((pixels[at + channel] ?? 0) % GRAIN))
      }
    }
  }
  return pixels
}

/** With its length and checksum. */
export function pngChunk(name: string, body: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.from(name, 'latin1'), body])
  const head = Buffer.alloc(4)
  head.writeUInt32BE(body.length)
  const tail = Buffer.alloc(4)
  tail.writeUInt32BE(crc32(chunk))
  return Buffer.concat([head, chunk, tail])
}
