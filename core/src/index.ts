// The public interface of the core: commands, queries and records.
export { checkCredentials } from './accounts/credentials.ts';
export { checkMailServer } from './accounts/mail/mail.ts';
export {
	currentMember,
	endSession,
	endSessions,
	listSessions,
	type Member,
	requireConfirmation,
} from './accounts/sessions/sessions.ts';
export {
	type AccountRecord,
	accountWithCredits,
	createAccount,
	enableAccount,
	findAccount,
	listAccounts,
	searchAccounts,
	setRole,
	vouchForAddress,
} from './accounts/store.ts';
export {
	countRecoveryCodes,
	countUnreadable,
	replaceRecoveryCodes,
	requireVerified,
	setUpTwoFactor,
	turnOffTwoFactor,
} from './accounts/two-factor.ts';
export { asActor, currentActor, identify } from './activity/actor.ts';
export { type ActivityRecord, listActivity } from './activity/store.ts';
export { createAgent, findAgentByToken, findAgentStatus, listAgents } from './agents/store.ts';
export { leaseChange } from './announcements.ts';
export { checkImage } from './base-images/download.ts';
export { createBaseImage, listBaseImages } from './base-images/store.ts';
export { importBoards } from './boards/commands.ts';
export { exportBoards, readBoards } from './boards/files.ts';
export {
	type BoardFilter,
	countBoardsByStatus,
	type FoundBoard,
	isCostly,
	readBoardsPage,
	searchBoards,
} from './boards/list.ts';
export { listBoardTypes } from './boards/store.ts';
export { summarizeBoardTypes, type TypeSummary } from './boards/types.ts';
export type { Claim } from './claims.ts';
export { type CommandName, type Done, run } from './commands.ts';
export type { Caller, Core } from './core.ts';
export { isPaidTier } from './credits/holds.ts';
export {
	grantCredits,
	listCredits,
	type PaymentProvider,
	readAmount,
	sandbox,
	topUp,
} from './credits/store.ts';
export { keptTime } from './database/clock/following-clock.ts';
export { copyDatabase } from './database/copy/copy.ts';
export { type Database, openDatabase } from './database/database.ts';
export { filePath, holdsPassword } from './database/location.ts';
export { pendingMigrations } from './database/migrations.ts';
export { readBoardsRevision, readLeasesRevision } from './database/revisions.ts';
export { claimFile } from './database/sqlite/sqlite.ts';
export { type Settings, settingsFrom } from './env.ts';
export { ApiError } from './errors.ts';
export { accept, type RequestOf, requireAdmin, type Unchecked } from './gate.ts';
export { findKeyOwner } from './keys/lookup.ts';
export {
	findFamily,
	findKey,
	issueKey,
	revokeKey,
	searchKeys,
} from './keys/store.ts';
export { reportAction } from './leases/actions/commands.ts';
export { shownActions } from './leases/actions/store.ts';
export { judgeChannels } from './leases/channels/access.ts';
export {
	type Admission,
	admitToChannel,
	announceChannel,
	endChannel,
	extendChannels,
	homeOf,
	openAgentEnd,
} from './leases/channels/store.ts';
export { renewLease } from './leases/commands.ts';
export { syncConsole, typeInput } from './leases/console/commands.ts';
export {
	consoleBytes,
	consoleEvents,
	nextChunk,
	openConsole,
	readTail,
} from './leases/console/reader.ts';
export { findNeededFile, freeSpace, keepDownload, requireDiskSpace } from './leases/files/store.ts';
export { admitUpload, uploadFirmware } from './leases/files/upload.ts';
export { followLease } from './leases/follow.ts';
export { startMinutes, useLease } from './leases/minutes.ts';
export { findMembers } from './leases/queue/plan.ts';
export { type BoardUse, type BoardView, readBoardView, readUses } from './leases/queue/usage.ts';
export { isAgentConnected } from './leases/requirements.ts';
export { type Accessible, accessTo, openLease } from './leases/sharing/access.ts';
export { listLeases, pageOfLeases, pageOfOwnLeases, readableLease } from './leases/store.ts';
export { type LeaseAction, type LeaseView, readLeaseView, readLiveBoard } from './leases/view.ts';
export { waitForAction, waitForLease } from './leases/wait.ts';
export { countNetworks, createCounts, tooMany } from './limits/counts.ts';
export { createLimiter, tooBusy } from './limits/limiter.ts';
export { closeConnection, openConnection } from './link/connection.ts';
export { reportOutput, reportSample } from './link/reports.ts';
export { revokeAgent, stopAgent } from './link/revoke.ts';
export { workLines } from './link/work.ts';
export { createLog } from './log.ts';
export { openDemoAccounts } from './members/demo.ts';
export {
	changeEmail,
	requestVerification,
	verifyAddress,
} from './members/email.ts';
export { findLink, requireOwnLink } from './members/links.ts';
export { awaitsCode, enterCode, logIn, logOut, signUp } from './members/log-in.ts';
export {
	changePassword,
	choosePassword,
	createResetLink,
	forgotPassword,
	invite,
} from './members/password.ts';
export { confirmMember, tokenSeconds, turnOnTwoFactor, type Visitor } from './members/proof.ts';
export { deleteAccount, disableAccount } from './members/stop.ts';
export { type Given, openCore } from './open.ts';
export { type Figures, readFigures } from './operations/figures.ts';
export { asApiError, checkHealth } from './operations/health.ts';
export {
	failureDays,
	listAgentDetails,
	type Overview,
	readOverview,
} from './operations/overview.ts';
export { invalid, noQuery, parseJson, printableName, validate } from './validation.ts';
