// Validates XML against a schema.
import { readFile } from 'node:fs/promises'
import { XmlDocument, XmlValidateError, XsdValidator } from 'libxml2-wasm'

const SCHEMAS = new URL('../fixtures/schemas/', import.meta.url)

/** @param schema a file of test/fixtures/schemas. @returns the errors */
export async function xmlFaults(xml: string, schema: string): Promise<string[]> {
  const grammar = XmlDocument.fromBuffer(await readFile(new URL(schema, SCHEMAS)))
  const validator = XsdValidator.fromDoc(grammar)
  const document = XmlDocument.fromString(xml)
  try {
    validator.validate(document)
    return []
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map(({ message }) => message)
    throw error
  } finally {
    document.dispose()
    validator.dispose()
    grammar.dispose()
  }
}

/** The texts of all elements of this name, in order. */
export function textsOf(xml: string, element: string): string[] {
  const matches = xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))
  return [...matches].map(([, text = '']) =>
    text.replaceAll('&apos;', "'").replaceAll('&amp;', '&'),
  )
}
