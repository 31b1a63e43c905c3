// Draws the images of a seeded blog: small scenes in petrol, butter and persimmon, made of a few
// shapes and a little chance. Every scene is a function from its own dice to SVG; the same seed
// gives the same image. Knows nothing of posts.
import { HEIGHT, makeDice, WIDTH } from './brush.ts'
import { arches, clock, lamp, library, table, tiles, train, windows } from './indoor-scenes.ts'
import { garden, harbour, hills, map, mountains, rain, sea } from './outdoor-scenes.ts'

const SCENES = {
  windows,
  garden,
  lamp,
  table,
  hills,
  rain,
  clock,
  library,
  harbour,
  sea,
  mountains,
  arches,
  tiles,
  map,
  train,
}
export type SceneName = keyof typeof SCENES

/**
 * @param shift 0 to 1, moves what moves in a scene: frames of an animation take it apart
 * @returns a whole SVG of 1600 by 900
 */
export function drawScene(name: SceneName, seed: number, shift = 0): string {
  const body = SCENES[name](makeDice(seed), shift)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${body}</svg>`
}
