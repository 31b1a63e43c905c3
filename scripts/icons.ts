// `npm run icons`: draws the site's icons in every size that browsers and home screens ask for,
// from web/public/favicon.svg.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { ROOT } from './processes.ts'

const FOLDER = join(ROOT, 'web/public')
const SIDE_UNITS = 32
/** A mask may cut off everything outside a circle of 80 % of the side. */
const MASKABLE_SHARE = 0.7

const logo = await readFile(join(FOLDER, 'favicon.svg'), 'utf8')
const ground = /<rect[^>]*fill="(#\w+)"/.exec(logo)?.[1]
if (!ground) throw new Error('web/public/favicon.svg has no ground')
const full = logo.replace(/rx="9"/, '')

await writeFile(join(FOLDER, 'icon-192.png'), await draw(logo, 192))
await writeFile(join(FOLDER, 'icon-512.png'), await draw(logo, 512))
await writeFile(join(FOLDER, 'apple-touch-icon.png'), await draw(full, 180))
await writeFile(join(FOLDER, 'icon-maskable-512.png'), await drawMaskable(512))
await writeFile(join(FOLDER, 'favicon.ico'), toIco(await draw(logo, SIDE_UNITS)))

async function draw(svg: string, sidePixels: number): Promise<Buffer> {
  return await sharp(Buffer.from(svg), { density: (72 * sidePixels) / SIDE_UNITS })
    .resize(sidePixels)
    .png({ palette: true, colours: 32 })
    .toBuffer()
}

async function drawMaskable(sidePixels: number): Promise<Buffer> {
  const inner = Math.round(sidePixels * MASKABLE_SHARE)
  return await sharp({
    create: { width: sidePixels, height: sidePixels, channels: 4, background: ground ?? '#000' },
  })
    .composite([{ input: await draw(full, inner) }])
    .png({ palette: true, colours: 32 })
    .toBuffer()
}

/** One image of 32 by 32 in the container of old. */
function toIco(png: Buffer): Buffer {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(SIDE_UNITS, 6)
  header.writeUInt8(SIDE_UNITS, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(header.length, 18)
  return Buffer.concat([header, png])
}
