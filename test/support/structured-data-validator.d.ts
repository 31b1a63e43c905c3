// What is used of the package, which has no types of its own.
declare module '@adobe/structured-data-validator' {
  type Issue = { issueMessage: string; severity: 'ERROR' | 'WARNING'; path: unknown }
  export default class Validator {
    constructor(vocabulary: unknown)
    validate(data: Record<'jsonld' | 'microdata' | 'rdfa', unknown>): Promise<Issue[]>
  }
}
