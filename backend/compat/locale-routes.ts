// HTTP of lists of countries, phone codes, languages and currencies (api.md §5.1): open to all.
import type { Routes } from '../http/server.ts'
import type { Names } from './locale-lists.ts'

/** IP addresses are not looked up: the country is unknown. */
const UNKNOWN_PLACE = {
  ...{ countryCode: '--', country: 'Unknown', continentCode: '--', continent: 'Unknown' },
  ...{ eu: false, currency: '' },
}

/** The end of the address, which list it is, and its name in the answer. */
const LISTS = [
  ['countries', 'countries', 'countries'],
  ['countries/eu', 'eu', 'countries'],
  ['countries/phones', 'phones', 'phones'],
  ['continents', 'continents', 'continents'],
  ['languages', 'languages', 'languages'],
  ['currencies', 'currencies', 'currencies'],
  ['codes', 'codes', 'localeCodes'],
] as const

export function localeRoutes(): Routes {
  // The data about phone numbers are loaded when they are first asked for.
  let loading: Promise<(asked: unknown) => Names> | undefined
  return (api) => {
    api.get('/locale', async ({ ip }) => ({ ip, ...UNKNOWN_PLACE }))
    for (const [path, list, name] of LISTS)
      api.get(`/locale/${path}`, async ({ headers }) => {
        loading ??= import('./locale-lists.ts').then(({ makeNames }) => makeNames())
        const items = (await loading)(headers['x-appwrite-locale'])[list]
        return { total: items.length, [name]: items }
      })
  }
}
