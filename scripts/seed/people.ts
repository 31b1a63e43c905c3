// The five people of a seeded blog, and the shape of what they wrote.
import type { SceneName } from './scenes.ts'

export type PersonKey = 'amara' | 'tobias' | 'wiebke' | 'noor' | 'pia'

export type SeedPerson = {
  name: string
  email: string
  /** What their page says of them. */
  about?: string
  /** Colours of the drawn avatar; without one the person keeps the initials image. */
  face?: {
    ground: string
    skin: string
    hair: string
    coat: string
    hasGlasses: boolean
    isLongHaired: boolean
  }
}

export type SeedPost = {
  author: PersonKey
  title: string
  /** Age on the day of seeding, in days; the fraction is the time of day. */
  daysAgo: number
  /** Of the featured image; a draft may do without. */
  scene?: SceneName
  type?: 'jpeg' | 'png' | 'gif'
  isInactive?: true
  likedBy: readonly PersonKey[]
  /** May hold the images that `bodyImage` writes. */
  content: string
}

/** An image in a text, until it is drawn and uploaded. */
export function bodyImage(scene: SceneName, alt: string, caption: string): string {
  return `[[${[scene, alt, caption].join('|')}]]`
}

/** What `bodyImage` wrote, in its order: scene, alternative text, caption. */
export const BODY_IMAGE = /\[\[(\w+)\|([^|\]]+)\|([^\]]+)\]\]/g

export const PEOPLE: Record<PersonKey, SeedPerson> = {
  amara: {
    name: 'Amara Osei',
    email: 'amara@lamplight.example',
    about: 'Writes about markets, buses and the people who sing on them.',
    face: {
      ground: '#f3d88d',
      skin: '#7d4f38',
      hair: '#1b1a24',
      coat: '#d86a45',
      hasGlasses: false,
      isLongHaired: true,
    },
  },
  tobias: {
    name: 'Tobias Quill',
    email: 'tobias@lamplight.example',
    about: 'Mends clocks in the morning and writes about the afternoon.',
    face: {
      ground: '#2d6a73',
      skin: '#e0b593',
      hair: '#6b4a35',
      coat: '#f0c983',
      hasGlasses: true,
      isLongHaired: false,
    },
  },
  wiebke: {
    name: 'Wiebke Brandt',
    email: 'wiebke@lamplight.example',
    face: {
      ground: '#c9d8d2',
      skin: '#efc9ae',
      hair: '#c8a24a',
      coat: '#15414c',
      hasGlasses: false,
      isLongHaired: true,
    },
  },
  noor: {
    name: 'Noor Haddad',
    email: 'noor@lamplight.example',
    about: 'Letters, windows, night trains. Answers every postcard.',
    face: {
      ground: '#e58a63',
      skin: '#c99a74',
      hair: '#26242c',
      coat: '#0f3039',
      hasGlasses: true,
      isLongHaired: true,
    },
  },
  pia: { name: 'Pia Lindqvist', email: 'pia@lamplight.example' },
}
