// The five people of a seeded blog.

export type PersonKey = 'amara' | 'tobias' | 'wiebke' | 'noor' | 'pia'

/** The avatars are `pictures/KEY.png`. */
export const PEOPLE: Record<PersonKey, { name: string; about?: string; hasAvatar: boolean }> = {
  amara: {
    name: 'Amara Osei',
    about: 'Writes about markets, buses and the people who sing on them.',
    hasAvatar: true,
  },
  tobias: {
    name: 'Tobias Quill',
    about: 'Mends clocks in the morning and writes about the afternoon.',
    hasAvatar: true,
  },
  wiebke: { name: 'Wiebke Brandt', hasAvatar: true },
  noor: {
    name: 'Noor Haddad',
    about: 'Letters, windows, night trains. Answers every postcard.',
    hasAvatar: true,
  },
  pia: { name: 'Pia Lindqvist', hasAvatar: false },
}

export const PEOPLE_KEYS = Object.keys(PEOPLE) as PersonKey[]

export function emailOf(key: PersonKey): string {
  return `${key}@lamplight.example`
}
