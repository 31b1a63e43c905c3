// HTTP routes for the logo of the blog (api.md §15.20).

import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { missingParam } from '#contract/errors.ts'
import { LOGO } from '#contract/site-settings.ts'
import { queueCallerOf } from '../http/connections.ts'
import { call, multipartBody, OBJECT } from '../http/openapi.ts'
import type { Routes } from '../http/server.ts'
import type { OperatorContext } from './context.ts'
import { removeLogo, setLogo } from './logo.ts'

const OPERATORS = { config: { scope: 'users.write', isForOperators: true } } as const
const LIMITS = { fileSize: LOGO.maxBytes, files: 1, fields: 4, parts: 5 } as const

export function logoRoutes(context: OperatorContext): Routes {
  return async (api) => {
    await api.register(async (scope: FastifyInstance) => {
      await scope.register(fastifyMultipart, { limits: LIMITS, throwFileSizeLimit: true })
      const settingLogo = call(OPERATORS, 'Sets the logo', {
        body: multipartBody(Type.Object({ file: Type.String() })),
        200: OBJECT,
        refusals: ['storage_invalid_file'],
      })
      scope.post('/site/logo', settingLogo, async (request, reply) => {
        const file = request.isMultipart() ? await request.file() : undefined
        if (!file) throw missingParam('file')
        const bytes = await file.toBuffer()
        return await setLogo(context, request.viewer, bytes, queueCallerOf(request, reply))
      })
    })
    const removingLogo = call(OPERATORS, 'Removes the logo', { 200: OBJECT })
    api.delete('/site/logo', removingLogo, async ({ viewer }) => removeLogo(context, viewer))
  }
}
