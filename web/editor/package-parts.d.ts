// Parts of the package. Each makes itself known to it.
declare module 'hugerte/plugins/*'
declare module 'hugerte/models/*'
