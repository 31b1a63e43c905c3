// The parts that we use of packages without types of their own.
declare module 'bidi-js' {
  export type Levels = { levels: Uint8Array; paragraphs: { level: number }[] }
  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default function makeBidi(): {
    getEmbeddingLevels(text: string, base?: 'ltr' | 'rtl' | 'auto'): Levels
    getMirroredCharacter(character: string): string | null
  }
}
declare module 'linebreak' {
  // biome-ignore lint/style/noDefaultExport: the package has no other
  export default class LineBreaker {
    constructor(text: string)
    nextBreak(): { position: number; required: boolean } | null
  }
}
