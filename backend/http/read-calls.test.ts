// Finding the read call at a path.
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { addReadRoute, collectReadRoutes } from './read-calls.ts'
import { GUEST } from './viewer.ts'

async function open(...paths: string[]) {
  const app = Fastify()
  const find = collectReadRoutes(app)
  for (const path of paths) addReadRoute(app, path, {}, async ({ params }) => ({ path, params }))
  app.get('/other/:id', async () => ({}))
  const ask = async (pathname: string) => {
    const route = find(pathname)
    const request = { viewer: GUEST, query: {}, ip: '', params: route?.params ?? {} }
    return (await route?.config.read?.(request))?.answer
  }
  return { app, ask }
}

test('finds the same route as the router, with decoded parameters', async () => {
  const paths = ['/:room/:id/parts', '/posts/:id/parts', '/posts/:id']
  const { app, ask } = await open(...paths)
  for (const path of ['/posts/a%20b', '/posts/1/parts', '/people/1/parts'])
    expect(await ask(path)).toEqual((await app.inject(path)).json())
  expect(await ask('/posts/%zz')).toEqual({ path: '/posts/:id', params: { id: '%zz' } })
})

test('finds nothing at paths of other routes, or of none', async () => {
  const { ask } = await open('/posts/:id')
  for (const path of ['/other/1', '/posts', '/posts/1/2', '/'])
    expect(await ask(path)).toBe(undefined)
})
