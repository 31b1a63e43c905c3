// HTTP of lists of countries, phone codes, languages and currencies (api.md §5.1): open to all.
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../http/server.ts'
import type { Names } from './locale-lists.ts'

/** Addresses are not looked up: nothing is known of where somebody is. */
const UNKNOWN_PLACE = {
  countryCode: '--',
  country: 'Unknown',
  continentCode: '--',
  continent: 'Unknown',
  eu: false,
  currency: '',
}

const LISTS = [
  ['countries', 'countries', 'countries'],
  ['countries/eu', 'eu', 'countries'],
  ['countries/phones', 'phones', 'phones'],
  ['continents', 'continents', 'continents'],
  ['languages', 'languages', 'languages'],
  ['currencies', 'currencies', 'currencies'],
] as const

export function localeRoutes(): Routes {
  // The data about phone numbers are loaded when they are first asked for.
  let reading: Promise<(asked: unknown) => Names> | undefined
  const namesFor = async ({ headers }: FastifyRequest): Promise<Names> => {
    reading ??= import('./locale-lists.ts').then(({ makeNames }) => makeNames())
    return (await reading)(headers['x-appwrite-locale'])
  }
  return (api) => {
    api.get('/locale', async ({ ip }) => ({ ip, ...UNKNOWN_PLACE }))
    for (const [path, list, name] of LISTS)
      api.get(`/locale/${path}`, async (request) => listed(name, (await namesFor(request))[list]))
    api.get('/locale/codes', async (request) => {
      const codes = (await namesFor(request)).languages.map(({ code, name }) => ({ code, name }))
      return listed('localeCodes', codes)
    })
  }
}

function listed(name: string, items: readonly unknown[]): Record<string, unknown> {
  return { total: items.length, [name]: items }
}
