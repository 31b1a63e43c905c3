// HTTP of lists of countries, phone codes, languages and currencies (api.md §5.1): open to all.
import type { FastifyRequest } from 'fastify'
import type { Routes } from '../http/server.ts'
import type { Names, ReadNames } from './lists.ts'

/** Addresses are not looked up: nothing is known of where somebody is. */
const UNKNOWN_PLACE = {
  countryCode: '--',
  country: 'Unknown',
  continentCode: '--',
  continent: 'Unknown',
  eu: false,
  currency: '',
}

export function localeRoutes(): Routes {
  // The data about phone numbers are loaded when they are first asked for.
  let reading: Promise<ReadNames> | undefined
  const namesFor = async ({ headers }: FastifyRequest): Promise<Names> => {
    reading ??= import('./lists.ts').then(({ makeNames }) => makeNames())
    return (await reading)(headers['x-appwrite-locale'])
  }
  return (api) => {
    api.get('/locale', async ({ ip }) => ({ ip, ...UNKNOWN_PLACE }))
    api.get('/locale/countries', async (request) =>
      listed('countries', (await namesFor(request)).countries),
    )
    api.get('/locale/countries/eu', async (request) =>
      listed('countries', (await namesFor(request)).eu),
    )
    api.get('/locale/countries/phones', async (request) =>
      listed('phones', (await namesFor(request)).phones),
    )
    api.get('/locale/continents', async (request) =>
      listed('continents', (await namesFor(request)).continents),
    )
    api.get('/locale/languages', async (request) =>
      listed('languages', (await namesFor(request)).languages),
    )
    api.get('/locale/currencies', async (request) =>
      listed('currencies', (await namesFor(request)).currencies),
    )
    api.get('/locale/codes', async (request) => {
      const codes = (await namesFor(request)).languages.map(({ code, name }) => ({ code, name }))
      return listed('localeCodes', codes)
    })
  }
}

function listed(name: string, items: readonly unknown[]): Record<string, unknown> {
  return { total: items.length, [name]: items }
}
